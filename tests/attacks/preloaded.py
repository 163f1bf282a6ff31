"""What a command imports before it works: loaded once by the process that others are forked from."""

import forgetscope.benchmarks.in_context.task
import forgetscope.benchmarks.prospective.task
import forgetscope.benchmarks.visual.task
import forgetscope.cli.commands
import forgetscope.report
import forgetscope.running.execute
import forgetscope.running.journal
import forgetscope.running.rejudge  # noqa: F401

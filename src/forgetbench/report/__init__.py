"""From a finished run to `summary.json` and `report.html`. Knows nothing of any one benchmark."""

from forgetbench.report.write import WrittenReport, write_report

__all__ = ["WrittenReport", "write_report"]

"""From finished runs to `summary.json` and `report.html`. Knows nothing of any one benchmark."""

from forgetscope.report.write import (
    TableRun,
    WrittenReport,
    write_joint_report,
    write_report,
    write_table_report,
)

__all__ = ["TableRun", "WrittenReport", "write_joint_report", "write_report", "write_table_report"]

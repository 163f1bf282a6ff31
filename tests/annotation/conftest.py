"""The report's browser, for the form."""

from tests.report.conftest import browser as browser

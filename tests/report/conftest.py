"""A real browser for the report, where there is one."""

from tests.browsing import browser as browser

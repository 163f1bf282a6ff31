"""A real browser for the form, where there is one."""

from tests.browsing import browser as browser

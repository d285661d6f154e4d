"""Drives Debian's Chromium without a screen, as a person would."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
DESKTOP, PHONE = (1280, 800), (390, 844)
PATIENCE_SECONDS = 60
SLOWER = float(os.environ.get("WEFT_BROWSER_SLOWER", "1"))  # finds tests that depend on speed


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory() as profile:
        for switch in (*SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        one = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        one.set_window_size(*DESKTOP)
        if SLOWER > 1:
            one.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        yield one
        one.quit()


def reset(browser: webdriver.Chrome) -> None:
    """Forgets pages, sizes and errors, and what pages have stored."""
    browser.get("about:blank")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    browser.set_window_size(*DESKTOP)
    complaints(browser)


def wait_until(browser: webdriver.Chrome, true: Callable[[], object]) -> None:
    """Waits until a condition is true. The page may replace elements while it is computed."""
    replaced = (StaleElementReferenceException,)
    WebDriverWait(browser, PATIENCE_SECONDS, 0.05, replaced).until(lambda _: true())


def complaints(browser: webdriver.Chrome) -> list[dict[str, object]]:
    """Returns the errors on the pages' consoles since the last call."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]

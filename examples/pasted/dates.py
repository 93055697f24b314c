"""Calendars and the sun."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@vectorize(["int64(int64, int64, int64)"])
def days_from_civil(y, m, d):
    """Days since 1970-01-01. After Hinnant (public domain)."""
    y -= m <= 2
    era = (y if y >= 0 else y - 399) // 400
    yoe = y - era * 400
    doy = (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 + d - 1
    doe = yoe * 365 + yoe // 4 - yoe // 100 + doy
    return era * 146097 + doe - 719468


@guvectorize(["int64, int64[:], int64[:], int64[:]"], "()->(),(),()")
def civil_from_days(z, year, month, day):
    """The other way. After Hinnant (public domain)."""
    z += 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    y = yoe + era * 400
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    day[0] = doy - (153 * mp + 2) // 5 + 1
    month[0] = mp + 3 if mp < 10 else mp - 9
    year[0] = y + (month[0] <= 2)


@guvectorize(["int64, int64[:], int64[:]"], "()->(),()")
def easter(year, month, day):
    """Of the Gregorian calendar, by the anonymous algorithm of 1876 that dateutil (BSD-3) has too."""
    a = year % 19
    b, c = year // 100, year % 100
    d, e = b // 4, b % 4
    f = (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month[0] = (h + l - 7 * m + 114) // 31
    day[0] = (h + l - 7 * m + 114) % 31 + 1


@vectorize(["float64(float64, float64, float64, float64)"])
def julian_day(year, month, day, hours):
    """After pvlib's solar positions by Numba (BSD-3)."""
    if month <= 2:
        year = year - 1
        month = month + 12
    a = int(year / 100)
    b = 2 - a + int(a * 0.25)
    frac_of_day = hours / 24.0
    return int(365.25 * (year + 4716)) + int(30.6001 * (month + 1)) + day + frac_of_day + b - 1524.5


@njit
def day_angle(dayofyear):
    return (2.0 * math.pi / 365.0) * (dayofyear - 1)


@vectorize(["float32(float32)", "float64(float64)"])
def equation_of_time(dayofyear):
    """Minutes by which sundials are ahead, by Spencer's series. After pvlib (BSD-3)."""
    x = day_angle(dayofyear)
    return (1440.0 / 2 / np.pi) * (
        0.0000075 + 0.001868 * np.cos(x) - 0.032077 * np.sin(x)
        - 0.014615 * np.cos(2.0 * x) - 0.040849 * np.sin(2.0 * x)
    )


@vectorize(["float64(float64, float64, float64)"])
def solar_zenith(latitude, declination, hour_angle):
    """After pvlib (BSD-3)."""
    return math.acos(
        math.cos(declination) * math.cos(latitude) * math.cos(hour_angle)
        + math.sin(declination) * math.sin(latitude)
    )

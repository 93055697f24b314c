"""Physics, weather and energy."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize

PLANCK = 6.62607015e-34
LIGHT = 299792458.0
BOLTZMANN = 1.380649e-23


@vectorize(["float64(float64, float64)"])
def blackbody(wavelength, T):
    """Planck's law. After Astropy's formula (BSD-3)."""
    return 2 * PLANCK * LIGHT ** 2 / wavelength ** 5 / math.expm1(PLANCK * LIGHT / (wavelength * BOLTZMANN * T))


@njit
def sat_vap_pres(t):
    k = t + 273.15
    if t <= 0.01:
        return math.exp(-5.6745359e+03 / k + 6.3925247 - 9.677843e-03 * k + 6.2215701e-07 * k ** 2
                        + 2.0747825e-09 * k ** 3 - 9.484024e-13 * k ** 4 + 4.1635019 * math.log(k))
    return math.exp(-5.8002206e+03 / k + 1.3914993 - 4.8640239e-02 * k + 4.1764768e-05 * k ** 2
                    - 1.4452093e-08 * k ** 3 + 6.5459673 * math.log(k))


@njit
def hum_ratio(tdry, twet, pressure):
    pws = sat_vap_pres(twet)
    wsstar = 0.621945 * pws / (pressure - pws)
    if twet >= 0:
        return ((2501. - 2.326 * twet) * wsstar - 1.006 * (tdry - twet)) / (2501. + 1.86 * tdry - 4.186 * twet)
    return ((2830. - 0.24 * twet) * wsstar - 1.006 * (tdry - twet)) / (2830. + 1.86 * tdry - 2.1 * twet)


@vectorize(["float64(float64, float64, float64)"])
def wet_bulb(tdry, rel_hum, pressure):
    """The wet-bulb temperature, by bisection. After PsychroLib (MIT), which has a Numba mode."""
    vapour = rel_hum * sat_vap_pres(tdry)
    w = 0.621945 * vapour / (pressure - vapour)
    low = -100.0
    high = tdry
    twet = (low + high) / 2
    index = 1
    while (high - low) > 0.001 and index < 100:
        wstar = hum_ratio(tdry, twet, pressure)
        if wstar > w:
            high = twet
        else:
            low = twet
        twet = (high + low) / 2
        index += 1
    return twet


@vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def heat_index(temperature, humidity):
    """Of Rothfusz, in degrees Fahrenheit and percent. After MetPy (BSD-3)."""
    hi = 0.5 * (temperature + 61.0 + ((temperature - 68.0) * 1.2) + (humidity * 0.094))
    if (hi + temperature) / 2 >= 80:
        t2 = temperature ** 2
        r2 = humidity ** 2
        hi = (-42.379 + 2.04901523 * temperature + 10.14333127 * humidity
              - 0.22475541 * temperature * humidity - 6.83783e-3 * t2 - 5.481717e-2 * r2
              + 1.22874e-3 * t2 * humidity + 8.5282e-4 * temperature * r2 - 1.99e-6 * t2 * r2)
        if humidity < 13 and 80 <= temperature <= 112:
            hi -= ((13 - humidity) / 4) * np.sqrt((17 - np.abs(temperature - 95.)) / 17)
        elif humidity > 85 and 80 <= temperature <= 87:
            hi += ((humidity - 85) / 10) * ((87 - temperature) / 5)
    return hi


@vectorize(["float32(float32)", "float64(float64)"])
def air_mass(zenith):
    """Of Kasten and Young. After pvlib (BSD-3)."""
    z = np.where(zenith > 90, np.nan, zenith)
    return 1.0 / (np.cos(np.radians(z)) + 0.50572 * ((6.07995 + (90 - z)) ** -1.6364))


@vectorize(["float64(float64, float64, float64, float64, float64, float64)"])
def diode_current(v, photocurrent, saturation, series, shunt, nNsVth):
    """The current of a solar cell, by Newton's method. After pvlib (BSD-3)."""
    i = photocurrent
    for _ in range(100):
        e = math.exp((v + i * series) / nNsVth)
        f = photocurrent - saturation * (e - 1) - (v + i * series) / shunt - i
        slope = -saturation * e * series / nNsVth - series / shunt - 1
        step = f / slope
        i -= step
        if abs(step) < 1e-13:
            break
    return i


@vectorize(["float64(float64, float64)"])
def sea_water_density(s, t):
    """At the surface, by UNESCO's equation of 1980. After python-seawater (MIT)."""
    smow = (999.842594, 6.793952e-2, -9.095290e-3, 1.001685e-4, -1.120083e-6, 6.536332e-9)
    b = (8.24493e-1, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9)
    c = (-5.72466e-3, 1.0227e-4, -1.6546e-6)
    d = 4.8314e-4
    T68 = t * 1.00024
    return (smow[0] + (smow[1] + (smow[2] + (smow[3] + (smow[4] + smow[5] * T68) * T68) * T68) * T68) * T68
            + (b[0] + (b[1] + (b[2] + (b[3] + b[4] * T68) * T68) * T68) * T68) * s
            + (c[0] + (c[1] + c[2] * T68) * T68) * s * s ** 0.5 + d * s ** 2)


@guvectorize(["float64[:,:], float64[:], float64, float64[:,:]"], "(n,c),(n),()->(n,c)")
def accelerations(positions, masses, softening, out):
    """Of bodies that attract each other. After the CUDA sample nbody (BSD-3) as Numba's users have it."""
    for i in range(positions.shape[0]):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(positions.shape[0]):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            distance2 = dx * dx + dy * dy + dz * dz + softening * softening
            inverse = 1.0 / math.sqrt(distance2)
            s = masses[j] * inverse * inverse * inverse
            ax += dx * s
            ay += dy * s
            az += dz * s
        out[i, 0] = ax
        out[i, 1] = ay
        out[i, 2] = az


@njit
def ising_energy(lattice):
    """Of spins on a torus. After numba-examples' Monte Carlo (BSD-2) and many lessons."""
    n, m = lattice.shape
    energy = 0
    for i in range(n):
        for j in range(m):
            S = lattice[i, j]
            neighbours = lattice[(i + 1) % n, j] + lattice[i, (j + 1) % m] + lattice[i - 1, j] + lattice[i, j - 1]
            energy -= neighbours * S
    return energy / 2.0


@vectorize(["float64(float64, float64)"])
def klein_nishina(energy, angle):
    """How photons scatter from electrons, in units of the electron's radius and rest energy."""
    ratio = 1 / (1 + energy * (1 - math.cos(angle)))
    return 0.5 * ratio ** 2 * (ratio + 1 / ratio - math.sin(angle) ** 2)

"""Writes the bus ride of ../shared/data with noise as a track of CSV: noisy_ride.py SEED >ride.csv

The noise is that of noise_table.py: white, 15 m on each axis, with 2 % outliers of 300 m that claim to be as good.
"""

import sys

from noise_table import NOISE, bus, noisy

print("time,latitude,longitude,accuracy")
for time, latitude, longitude in noisy(bus()[0], int(sys.argv[1])):
    print(f"{time},{latitude!r},{longitude!r},{NOISE}")

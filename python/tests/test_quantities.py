# SPDX-License-Identifier: Apache-2.0
"""Quantities as reports show them: python3 test_quantities.py, as test_kdiag.py."""

import unittest

import kdiag


class Quantities(unittest.TestCase):
    def test_what_they_look_like(self):
        self.assertEqual(kdiag.format_value(4192, "ns"), "4.19 us")
        self.assertEqual(kdiag.format_value(1.41e9, "Hz"), "1410 MHz")
        self.assertEqual(kdiag.format_duration(9_240_000), "9.24 ms")
        self.assertEqual(kdiag.format_duration(0, 4_500_000_000), "up to 4.5 s")
        self.assertEqual(kdiag.format_share(0.72), "72 %")
        self.assertEqual(kdiag.format_share(0.62, 0.72), "62-72 %")
        self.assertEqual(kdiag.format_count(11791), "11,791")
        self.assertEqual(kdiag.format_number(0.75123), "0.7512")
        self.assertEqual(kdiag.format_factor(3.6), "3.6x")
        self.assertEqual(kdiag.did_you_mean("kernles", ["ops", "kernels"]), "did you mean 'kernels'?")
        self.assertEqual(kdiag.did_you_mean("kernels", iter(())), "")

    def test_what_is_none(self):
        for wrong in (lambda: kdiag.format_value(1, "furlongs"), lambda: kdiag.format_value(1, "n\0s")):
            with self.assertRaises((ValueError, kdiag.Error)):
                wrong()
        with self.assertRaises(OverflowError):
            kdiag.format_count(2**64)
        with self.assertRaises(TypeError):
            kdiag.format_duration("9 ms")


if __name__ == "__main__":
    unittest.main()

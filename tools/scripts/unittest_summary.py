#!/usr/bin/env python3
"""Runs the unittest tests of one file and writes a summary as JSON.

usage: unittest_summary.py TEST.py SUMMARY.json

tools/scripts/run_tests.py reads the summary. A test with failing subtests
counts as one failure.
"""

import collections
import importlib.util
import json
import os
import sys
import unittest


def main() -> int:
    path, summary = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("tests", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tests"] = module
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=2).run(suite)

    failed = set()
    for test, _ in result.failures + result.errors:
        failed.add(getattr(test, "test_case", test).id())
    failed |= {test.id() for test in result.unexpectedSuccesses}
    reasons = collections.Counter(reason for _, reason in result.skipped)
    skipped = sum(reasons.values())
    with open(summary, "w", encoding="utf-8") as file:
        json.dump(
            {
                "passed": max(0, result.testsRun - len(failed) - skipped),
                "failed": len(failed),
                "skipped": skipped,
                "skip_reasons": reasons,
                "failures": sorted(failed),
            },
            file,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

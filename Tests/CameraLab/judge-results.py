"""Says what the lab's VMs have run, from their results in xunit form.

usage: judge-results.py [--every-test] RESULT...

Each RESULT is the path of an .xml file without its suffix.  Exit status 1 if a file is
missing or incomplete, if a test failed, or if no test ran in one of the VMs: a filter that
matches nothing, or only suites that are disabled there, must not look like success.  With
--every-test a test that was skipped in all of the VMs counts as failed, too.
"""
import os
import sys
import xml.etree.ElementTree as xml


def outcome(case):
    if case.find('failure') is not None or case.find('error') is not None:
        return 'failed'
    return 'passed' if case.find('skipped') is None else 'skipped'


def read(path):
    """The tests by outcome."""
    tests = dict(passed=set(), failed=set(), skipped=set())
    for case in xml.parse(path + '.xml').iter('testcase'):
        tests[outcome(case)].add(case.get('classname') + '.' + case.get('name'))
    return tests


def judge(name, path):
    """What ran, what was skipped, and whether all is well."""
    try:
        tests = read(path)
    except (OSError, xml.ParseError) as error:
        print('%-12s no results: %s' % (name, error))
        return set(), set(), False
    ran = tests['passed'] | tests['failed']
    print('%-12s %d passed, %d failed, %d skipped%s' % (
        name, len(tests['passed']), len(tests['failed']), len(tests['skipped']),
        '' if ran else ': nothing ran'))
    for test in sorted(tests['failed']):
        print('%-12s failed: %s' % ('', test))
    return ran, tests['skipped'], bool(ran) and not tests['failed']


def main(arguments):
    every_test = arguments[:1] == ['--every-test']
    paths = arguments[1:] if every_test else arguments
    if not paths:
        raise SystemExit(__doc__)
    ran, skipped, good = set(), set(), True
    for path in paths:
        ran_here, skipped_here, good_here = judge(os.path.basename(path), path)
        ran, skipped, good = ran | ran_here, skipped | skipped_here, good and good_here
    for test in sorted(skipped - ran) if every_test else ():
        print('ran in no VM: ' + test)
        good = False
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

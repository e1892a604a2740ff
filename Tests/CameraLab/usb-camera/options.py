"""What a camera's SPEC says."""
from types import SimpleNamespace

from faults import KINDS

DEFAULTS = dict(
    name='Lab Camera', vendor='Camera Lab', serial='LAB0001', vid='1d6b', pid='0102',
    formats='mjpeg+yuyv', sizes='640x480+320x240+1280x720', fps='30+15+5', mjpeg='', bytes='0',
    uvc='1.1', speed='high', transfer='bulk', header='2', payload='0', plug='yes',
    slow='0', stall='', unplug='', negotiate='', stallctl='')
UVC_VERSIONS = {'1.0': 0x100, '1.1': 0x110, '1.5': 0x150}


def parse_size(text):
    width, height = map(int, text.split('x'))
    if width % 16 or height % 8:
        raise SystemExit('size %s: width must be a multiple of 16, height of 8' % text)
    return width, height


def parse_pair(text):
    """`N:T` as (N, T), `N` as (N, None), nothing as None."""
    number, colon, seconds = text.partition(':')
    return (int(number), float(seconds) if colon else None) if text else None


def parse_spec(spec):
    raw = dict(DEFAULTS, **dict.fromkeys(KINDS, ''))
    for item in filter(None, spec.split(',')):
        key, equals, value = item.partition('=')
        if not equals or key not in raw:
            raise SystemExit('unknown camera option: ' + item)
        raw[key] = value
    return SimpleNamespace(
        strings=(raw['vendor'], raw['name'], raw['serial']),
        vendor_id=int(raw['vid'], 16), product_id=int(raw['pid'], 16),
        formats=raw['formats'].split('+'),
        sizes=[parse_size(s) for s in raw['sizes'].split('+')],
        intervals=[round(1e7 / float(f)) for f in raw['fps'].split('+')],    # in 100 ns
        picture_folder=raw['mjpeg'], least_bytes=int(raw['bytes']),
        version=UVC_VERSIONS[raw['uvc']],
        super_speed=raw['speed'] == 'super', isochronous=raw['transfer'] == 'iso',
        header_size=int(raw['header']), payload=int(raw['payload']),
        plugged=raw['plug'] != 'no',
        faults={kind: raw[kind] for kind in KINDS},
        slow=float(raw['slow']), stall=parse_pair(raw['stall']), unplug=parse_pair(raw['unplug']),
        negotiate=parse_size(raw['negotiate']) if raw['negotiate'] else None,
        stalled_controls=raw['stallctl'])

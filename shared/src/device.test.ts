import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

test('a device is called what it is, not what it says it is like', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0'
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64) ${chrome} Safari/537.36 Edg/143.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.1 Mobile Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.1 Safari/605.1',
      'Safari on macOS',
    ],
    ['curl/8.14.1', 'curl'],
    ['', 'Unknown device'],
  ] as const)
    expect(deviceOf(userAgent)).toBe(name)
})

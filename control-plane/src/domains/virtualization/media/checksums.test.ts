import { describe, expect, test } from 'vitest'
import { findDigest } from './checksums.ts'

const A = 'a'.repeat(64)
const B = 'B'.repeat(128)

describe('the checksum of a file', () => {
  test.each([
    ['in the format of sha256sum', `${A}  disk.qcow2\n`, A],
    ['in its binary mode', `${A} *disk.qcow2\n`, A],
    ['in a folder', `${A}  ./images/disk.qcow2\n`, A],
    ['in BSD format', `# disk.qcow2: 1 bytes\nSHA256 (disk.qcow2) = ${A}\n`, A],
    [
      'with a signature around it',
      `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSHA256 (disk.qcow2) = ${A}\n-----BEGIN PGP SIGNATURE-----\n${'x'.repeat(64)}\n`,
      A,
    ],
    ['twice, preferring the stronger one', `${A}  disk.qcow2\n${B}  disk.qcow2\n`, B.toLowerCase()],
  ])('is found %s', (_, text, hex) => {
    expect(findDigest(`${'0'.repeat(64)}  other\r\n${text}`, 'disk.qcow2', 'SHA256SUMS')?.hex).toBe(
      hex,
    )
  })

  test('is the only one in a list named after the file', () => {
    const own = (name: string) => findDigest(`${A}  disk-20260101.qcow2\n`, 'disk.qcow2', name)?.hex
    expect(own('disk.qcow2.SHA256')).toBe(A)
    expect(own('SHA256SUMS')).toBeUndefined()
    expect(findDigest(`${A}\n`, 'disk.qcow2', 'disk.qcow2.sha256')?.hex).toBe(A)
  })

  test.each(['', 'not found', `${'a'.repeat(63)}  disk.qcow2`, `${A}  disk.qcow2.sig`])(
    'is not found in %j',
    (text) => {
      expect(findDigest(text, 'disk.qcow2', 'SHA256SUMS')).toBeUndefined()
    },
  )
})

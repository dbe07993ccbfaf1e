import { expect, test } from 'vitest'
import { knowsGcm } from './greeting.ts'

const OPENSSH = 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'
const CIPHERS = 'chacha20-poly1305@openssh.com,aes128-ctr,aes128-gcm@openssh.com'

const list = (names: string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(names.length)
  return Buffer.concat([length, Buffer.from(names)])
}
function beginning(given: { ident?: string; ofClient?: string; ofServer?: string }): Buffer {
  const { ident = OPENSSH, ofClient = CIPHERS, ofServer = CIPHERS } = given
  const lists = ['curve25519-sha256', 'ssh-ed25519', ofClient, ofServer, 'umac-64@openssh.com']
  const body = Buffer.concat([Buffer.of(4, 20), Buffer.alloc(16, 10), ...lists.map(list)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([Buffer.from(ident), length, body])
}

test.each([
  ['of OpenSSH that knows AES-GCM', beginning({}), true],
  ['of OpenSSH that may use only others', beginning({ ofClient: 'aes256-ctr' }), false],
  ['that may use others in one direction', beginning({ ofServer: 'aes256-ctr' }), false],
  ['of somebody else', beginning({ ident: 'SSH-2.0-PuTTY_Release_0.80\r\n' }), false],
])('a client %s is heard, in however small parts', (_, bytes, expected) => {
  const answers = Array.from(bytes, (_byte, at) => knowsGcm(bytes.subarray(0, at + 1)))
  const first = answers.findIndex((answer) => answer !== undefined)
  expect(answers[first]).toBe(expected)
  expect(answers.slice(first)).toEqual(answers.slice(first).map(() => expected))
})

test('whoever talks nonsense is not waited for', () => {
  expect(knowsGcm(Buffer.alloc(256, 'a'))).toBe(false)
  expect(knowsGcm(Buffer.from(`${OPENSSH}GET / HTTP/1.1`))).toBe(false)
  const cut = beginning({})
  cut.writeUInt32BE(22, OPENSSH.length)
  expect(knowsGcm(cut)).toBe(false)
  const lies = beginning({})
  lies.writeUInt32BE(4_000_000_000, OPENSSH.length + 4 + 18)
  expect(knowsGcm(lies)).toBe(false)
})

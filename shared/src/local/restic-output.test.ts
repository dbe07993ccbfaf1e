import { expect, test } from 'vitest'
import { jsonOf, resticFault, saysMissing, unreadFile } from './restic-output.ts'

const place = 'Is there a repository at the following location?'

test('only a place that answers without a repository counts as one without backups', () => {
  for (const why of [
    'stat /mnt/config: no such file or directory',
    'Stat: The specified key does not exist.',
    'Stat: unexpected HTTP response (404): 404 Not Found',
  ])
    expect(saysMissing(`Fatal: unable to open config file: ${why}\n${place}`)).toBe(true)
  for (const why of [
    'Stat: Access Denied.',
    'Stat: Get "https://s3.example.com/": dial tcp: lookup s3.example.com: no such host',
    'stat /mnt/config: permission denied',
  ])
    expect(saysMissing(`Fatal: unable to open config file: ${why}\n${place}`)).toBe(false)
})

test.each([
  ['Save(<data/1>) returned error: write /mnt/1: no space left on device', 'full'],
  ['Fatal: wrong password or no key found', 'wrong-key'],
  ['unable to create lock in backend: repository is already locked by PID 7', 'locked'],
  ['Fatal: unable to open config file: stat /mnt/config: permission denied', 'denied'],
  ['Get "https://s3": x509: certificate signed by unknown authority', 'untrusted'],
  ['Get "https://s3": dial tcp 10.0.0.1:443: connect: connection refused', 'away'],
  ['Fatal: unable to open config file: Stat: Access Denied.', 'refused'],
  ['Load(<data/98b423588a>, 300050, 44): server response unexpected: 502 Bad Gateway', 'away'],
  ['Load(<data/98b423588a>, 44, 0): unexpected HTTP response (404): 404 Not Found', 'away'],
  ['decrypting blob e5eb6918cf failed: ciphertext verification failed', 'damaged'],
  ['Fatal: load <index/156d8c2fa6>: invalid data returned', 'damaged'],
  ['loading tree failed: id be29997847 not found in repository', 'damaged'],
  ['invalid id "681886e44d": no matching ID found for prefix "681886e44d"', 'damaged'],
  ['ReadFull(<data/98>): open /repository/data/98/98b4: no such file or directory', 'damaged'],
  ['ReadFull(<data/98>): read /repository/data/98/98b4: input/output error', undefined],
  ['cannot dump file: ReadFull(<data/98b423588a>): unexpected EOF', 'short'],
  ['signal: killed', undefined],
])('%s', (output, fault) => {
  expect(resticFault(output)).toBe(fault)
})

test('a file that is gone is told from one that cannot be read, by every version', () => {
  const of = (error: string) =>
    unreadFile(jsonOf(`{"message_type":"error","error":${error},"during":"archival","item":"/a"}`))
  expect(of('{"Op":"lstat","Path":"/a","Err":2}')).toEqual({ item: '/a', isGone: true })
  expect(of('{"message":"lstat /a: no such file or directory"}')?.isGone).toBe(true)
  expect(of('{"Op":"open","Path":"/a","Err":13}')).toEqual({ item: '/a', isGone: false })
  expect(of('{"message":"open /a: permission denied"}')?.isGone).toBe(false)
  expect(unreadFile(jsonOf('{"message_type":"status","percent_done":1}'))).toBeUndefined()
})

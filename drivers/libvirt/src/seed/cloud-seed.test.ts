import { expect, test } from 'vitest'
import { cloudSeedImage } from './cloud-seed.ts'

const NETWORK = {
  mode: 'nat',
  name: 'lodge0',
  bridge: 'lg0',
  mac: '52:54:00:00:00:01',
  address: '10.77.0.2',
  prefixLength: 24,
  gateway: '10.77.0.1',
  dns: [],
} as const
const SEED = {
  instanceId: 'one',
  hostname: 'one',
  user: 'admin',
  sshKeys: [],
  passwordHash: '$6$salt$hash',
}

/** The user data in the image. */
function userDataOf(more: object): string {
  const text = cloudSeedImage({ ...SEED, ...more }, { ...NETWORK, dns: [] }).toString('utf8')
  const from = text.indexOf('#cloud-config')
  return text.slice(from, text.indexOf('\0', from))
}

/** After its first line, every document is JSON. */
const parse = (text: string) => JSON.parse(text.slice(text.indexOf('\n')))

test('packages and an initial password are in the document that cloud-init reads', () => {
  const config = parse(userDataOf({ packages: ['htop', 'nginx'] }))
  expect(config).toMatchObject({
    packages: ['htop', 'nginx'],
    package_update: true,
    ssh_pwauth: true,
    users: [{ name: 'admin', lock_passwd: false, hashed_passwd: '$6$salt$hash' }],
  })
})

test('user data is added unchanged next to ours and merged with it', () => {
  const own = '#cloud-config\npackages: [curl]\nruncmd:\n  - "echo \'ö\' > /x"\n'
  const text = userDataOf({ userData: own })
  expect(text.startsWith('#cloud-config-archive\n')).toBe(true)
  const [ours, theirs] = parse(text)
  expect(parse(ours.content)).toMatchObject({ hostname: 'one', users: [{ name: 'admin' }] })
  expect(theirs).toEqual({
    content: own,
    'Merge-Type': 'list(append)+dict(no_replace,recurse_list)+str()',
  })
})

import type { CloudSeed, MachineNetwork } from '@lodge/shared/machine-spec.ts'
import { isoImage } from './iso9660.ts'

/**
 * What cloud-init reads on the first boot (NoCloud data source): users, host name, network. Every
 * document is JSON, a subset of YAML without its ambiguities.
 */
export function cloudSeedImage(seed: CloudSeed, network: MachineNetwork): Buffer {
  return isoImage('CIDATA', {
    'meta-data': lines({ 'instance-id': seed.instanceId, 'local-hostname': seed.hostname }),
    'user-data': userData(seed),
    'network-config': lines(networkConfig(network)),
  })
}

/** The guest user's shell, present in every cloud image. */
const LOGIN_SHELL = '/bin/bash'

/**
 * Our document alone, or an archive of both: cloud-init merges the parts and appends to our lists.
 */
function userData(seed: CloudSeed): string {
  const ours = JSON.stringify(generated(seed), null, 1)
  if (seed.userData === undefined) return `#cloud-config\n${ours}\n`
  const parts = [
    { type: 'text/cloud-config', content: `#cloud-config\n${ours}\n` },
    { content: seed.userData, 'Merge-Type': ADDING },
  ]
  return `#cloud-config-archive\n${JSON.stringify(parts, null, 1)}\n`
}

/** How the second document is merged into the first (cloud-init, "Merging user data sections"). */
const ADDING = 'list(append)+dict(no_replace,recurse_list)+str()'

function generated(seed: CloudSeed) {
  return {
    preserve_hostname: false,
    hostname: seed.hostname,
    ssh_pwauth: seed.passwordHash !== null,
    disable_root: true,
    users: [
      {
        name: seed.user,
        gecos: seed.user,
        groups: ['adm', 'sudo'],
        sudo: 'ALL=(ALL) NOPASSWD:ALL',
        shell: LOGIN_SHELL,
        ssh_authorized_keys: seed.sshKeys,
        lock_passwd: seed.passwordHash === null,
        ...(seed.passwordHash !== null && { hashed_passwd: seed.passwordHash }),
      },
    ],
    ...(seed.packages?.length && { package_update: true, packages: seed.packages }),
    growpart: { mode: 'auto', devices: ['/'] },
  }
}

function networkConfig({ mac, address, prefixLength, gateway, dns }: MachineNetwork) {
  return {
    version: 2,
    ethernets: {
      primary: {
        match: { macaddress: mac },
        dhcp4: false,
        dhcp6: false,
        addresses: [`${address}/${prefixLength}`],
        routes: [{ to: '0.0.0.0/0', via: gateway }],
        nameservers: { addresses: dns.length > 0 ? dns : [gateway] },
      },
    },
  }
}

function lines(document: Record<string, unknown>): string {
  return Object.entries(document)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')
}

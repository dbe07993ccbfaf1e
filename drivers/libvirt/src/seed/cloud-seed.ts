import type { CloudSeed, MachineNetwork } from '@lodge/shared/machine-spec.ts'
import { isoImage } from './iso9660.ts'

/**
 * What cloud-init reads at the first boot (its NoCloud source): who may log in, the name, the network.
 * Every document is JSON, which is YAML without surprises.
 */
export function cloudSeedImage(seed: CloudSeed, network: MachineNetwork): Buffer {
  return isoImage('CIDATA', {
    'meta-data': lines({ 'instance-id': seed.instanceId, 'local-hostname': seed.hostname }),
    'user-data': `#cloud-config\n${JSON.stringify(userData(seed), null, 1)}\n`,
    'network-config': lines(networkConfig(network)),
  })
}

/** Of the guest's user: every cloud image has it. */
const LOGIN_SHELL = '/bin/bash'

function userData(seed: CloudSeed) {
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

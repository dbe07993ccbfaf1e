import { describe, expect, it } from 'vitest'
import { ConfigError, readCommandLine } from './config.ts'

describe('the command line', () => {
  it('runs the agent by default, with or without its name', () => {
    for (const words of [[], ['run'], ['agent'], ['agent', 'run']]) {
      expect(readCommandLine(words, {}).command).toBe('run')
    }
    expect(readCommandLine(['agent', 'join', 'lodge1.x'], {})).toMatchObject({
      command: 'join',
      joinToken: 'lodge1.x',
    })
  })

  it('prefers a flag to a variable', () => {
    const environment = {
      LODGE_AGENT_DATA: '/a',
      LODGE_AGENT_DOCKER_SOCKET: '/s',
      LODGE_AGENT_OFFLINE_START: 'true',
    }
    const { config } = readCommandLine(['--data', '/b'], environment)
    expect(config).toMatchObject({
      data: '/b',
      dockerSocket: '/s',
      driver: 'docker',
      offlineStart: true,
      metricsAddress: '',
    })
  })

  it('reads the allowed media hosts from the same variables as the control plane', () => {
    const environment = {
      LODGE_EGRESS_HOSTS: 'files.lan:443,10.0.0.7:8443',
      LODGE_EGRESS_CA: '/etc/lodge/ca.pem',
    }
    expect(readCommandLine([], environment).config).toMatchObject({
      egressHosts: ['files.lan:443', '10.0.0.7:8443'],
      egressCa: '/etc/lodge/ca.pem',
    })
    expect(readCommandLine([], {}).config).toMatchObject({ egressHosts: [], egressCa: '' })
  })

  it('takes RBD pools for shared storages that it knows', () => {
    const environment = { LODGE_AGENT_SHARED_STORAGES: 'fast=/mnt/fast,slow=/mnt/slow' }
    const pools = (text: string) =>
      readCommandLine([], { ...environment, LODGE_AGENT_RBD_POOLS: text }).config.rbdPools
    expect(pools('')).toEqual(new Map())
    expect(pools('fast=lodge@vms,slow=me@hdd.pool:/etc/ceph/old.conf')).toEqual(
      new Map([
        ['fast', { pool: 'vms', user: 'lodge', configFile: '/etc/ceph/ceph.conf' }],
        ['slow', { pool: 'hdd.pool', user: 'me', configFile: '/etc/ceph/old.conf' }],
      ]),
    )
    for (const wrong of ['fast=vms', 'fast=lodge@vms/one', 'fast=a@b,fast=c@d', 'fast=a@b:c'])
      expect(() => pools(wrong)).toThrow(/rbd-pools: must be pairs such as fast=lodge@vms/)
    expect(() => pools('other=lodge@vms')).toThrow('rbd-pools: other is none of shared-storages')
  })

  it('accepts the new address of a control plane that has moved', () => {
    const environment = { LODGE_AGENT_FLEET_ADDRESS: 'panel.example.com:9443' }
    expect(readCommandLine([], environment).config.fleetAddress).toBe('panel.example.com:9443')
    expect(readCommandLine([], {}).config.fleetAddress).toBe('')
    expect(() => readCommandLine(['--fleet-address', 'panel'], {})).toThrow(
      /fleet-address: must be host:port/,
    )
  })

  it('reports every fault at once', () => {
    const wrong = () =>
      readCommandLine([], { LODGE_AGENT_DRIVER: 'podman', LODGE_AGENT_PORT_RANGE: 'many' })
    expect(wrong).toThrow(ConfigError)
    expect(wrong).toThrow(/driver: [\s\S]*port-range: /)
    expect(() => readCommandLine(['leave'], {})).toThrow('There is no command leave')
    expect(() => readCommandLine(['join'], {})).toThrow(/token/)
    expect(() => readCommandLine(['--speed', '9'], {})).toThrow(ConfigError)
  })
})

import type { Node } from '@lodge/shared/nodes.ts'
import { expect, test } from 'vitest'
import { checkName, groupsOf } from './check-groups.ts'

const check = (id: 'docker' | 'kvm' | 'disk', state: 'ok' | 'warning' | 'failed') => ({
  id,
  state,
  summary: '',
  remedy: null,
})

const node = (
  preflight: Node['preflight'],
  virtualization: Node['virtualization'] = {
    enabled: false,
    emulationAllowed: false,
    found: null,
  },
) => ({ preflight, virtualization }) as Node

const ids = (checks: readonly { id: string }[]) => checks.map(({ id }) => id)

test('separates broken checks from advice and from passed ones', () => {
  const { broken, advice, fine } = groupsOf(
    node([check('disk', 'warning'), check('docker', 'failed'), check('kvm', 'ok')]),
  )
  expect([broken, advice, fine].map(ids)).toEqual([['docker'], ['disk'], ['kvm']])
})

test('missing KVM breaks only a node that takes virtual machines', () => {
  const failed = [check('kvm', 'failed')]
  expect(ids(groupsOf(node(failed)).advice)).toEqual(['kvm'])
  const machines = { enabled: true, emulationAllowed: false, found: null }
  expect(ids(groupsOf(node(failed, machines)).broken)).toEqual(['kvm'])
})

test('a check that libvirt reports more exactly is listed once', () => {
  const found = {
    available: true,
    why: '',
    kvm: true,
    kvmWhy: '',
    libvirtVersion: '9',
    qemuVersion: '7',
    tpm: false,
    checks: [{ id: 'kvm' as const, state: 'ok' as const, summary: 'A guest booted', remedy: null }],
  }
  const { fine, advice } = groupsOf(
    node([check('kvm', 'warning')], { enabled: true, emulationAllowed: false, found }),
  )
  expect(fine.map(({ summary }) => summary)).toEqual(['A guest booted'])
  expect(advice).toEqual([])
})

test('a check of a registry is named after it', () => {
  expect(checkName('registry:ghcr.io')).toBe('Registry ghcr.io')
})

import { EditNodeVirtualization, Node } from '@lodge/shared/nodes.ts'
import {
  CreateVmProfile,
  Enable,
  Offer,
  RegisterVmMedium,
  RegisterVmNetwork,
  VirtualizationCatalogue,
  VmMedium,
  VmNetwork,
  VmProfile,
} from '@lodge/shared/vms.ts'
import { z } from 'zod'
import { get, patch, post } from '../../http/endpoint.ts'
import { node } from '../nodes/index.ts'
import { medium, network, profile } from './access.ts'
import { catalogue } from './catalogue.ts'
import { registerMedium, setMedium } from './media.ts'
import { registerNetwork, setNetwork } from './networks.ts'
import { switchVirtualization } from './node-switch.ts'
import { createProfile, setProfile } from './profiles.ts'

const manage = { who: 'admin', may: 'virtualization.manage' } as const

export const showCatalogue = get('/api/virtualization/catalogue', {
  summary: 'Approved media, hardware profiles and networks for virtual machines',
  access: { who: 'user' },
  reply: VirtualizationCatalogue,
  handle: ({ ctx }) => catalogue(ctx),
})

export const createVmMedium = post('/api/virtualization/media', {
  summary: 'Register a medium by its HTTPS address and its SHA-256',
  access: manage,
  body: RegisterVmMedium,
  reply: z.object({ medium: VmMedium, jobId: z.uuid() }),
  status: 202,
  handle: ({ ctx, body }) => registerMedium(ctx, body),
})

export const editVmMedium = patch('/api/virtualization/media/{id}', {
  summary: 'Enable or disable a medium for new installations',
  access: { ...manage, on: medium },
  body: Enable,
  reply: VmMedium,
  handle: ({ ctx, medium, body }) => setMedium(ctx, medium, body.enabled),
})

export const createVmNetwork = post('/api/virtualization/networks', {
  summary: 'Register a network of the nodes and its pool of guest addresses',
  access: manage,
  body: RegisterVmNetwork,
  reply: VmNetwork,
  status: 201,
  handle: ({ ctx, body }) => registerNetwork(ctx, body),
})

export const editVmNetwork = patch('/api/virtualization/networks/{id}', {
  summary: 'Enable or disable a pool of guest addresses, and release it to customers',
  access: { ...manage, on: network },
  body: Offer,
  reply: VmNetwork,
  handle: ({ ctx, network, body }) => setNetwork(ctx, network, body),
})

export const createVmProfile = post('/api/virtualization/profiles', {
  summary: 'Create an immutable hardware profile',
  access: manage,
  body: CreateVmProfile,
  reply: VmProfile,
  status: 201,
  handle: ({ ctx, body }) => createProfile(ctx, body),
})

export const editVmProfile = patch('/api/virtualization/profiles/{id}', {
  summary: 'Enable or disable a hardware profile for new machines, and release it to customers',
  access: { ...manage, on: profile },
  body: Offer,
  reply: VmProfile,
  handle: ({ ctx, profile, body }) => setProfile(ctx, profile, body),
})

export const editNodeVirtualization = patch('/api/nodes/{id}/virtualization', {
  summary: 'Allow or disallow new virtual machines on a node, after checking what they need',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  // The agent looks again before the answer.
  waits: true,
  body: EditNodeVirtualization,
  reply: Node,
  handle: ({ ctx, node, body }) => switchVirtualization(ctx, node, body),
})

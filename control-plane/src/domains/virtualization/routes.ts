import { KnownImageList, KnownImages } from '@lodge/shared/known-images.ts'
import { EditNodeVirtualization, Node } from '@lodge/shared/nodes.ts'
import {
  CreateVmProfile,
  Enable,
  Offer,
  RegisterVmMedium,
  RegisterVmNetwork,
  UploadVmMedium,
  VirtualizationCatalogue,
  VmMedium,
  VmNetwork,
  VmProfile,
} from '@lodge/shared/vms.ts'
import { z } from 'zod'
import { del, get, patch, post, put } from '../../http/endpoint.ts'
import { node } from '../nodes/index.ts'
import { medium, network, profile } from './access.ts'
import { catalogue } from './catalogue.ts'
import { editKnownImages, knownImages, resetKnownImages } from './media/known-images.ts'
import { registerMedium, removeMedium, setMedium } from './media/media.ts'
import { announceUpload, receiveUpload, uploadState } from './media/uploads.ts'
import { registerNetwork, removeNetwork, setNetwork } from './networks/networks.ts'
import { switchVirtualization } from './node-switch.ts'
import { createProfile, removeProfile, setProfile } from './profiles/profiles.ts'

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
  recorded: 'added the medium {target}',
  handle: ({ ctx, body }) => registerMedium(ctx, body),
})

export const editVmMedium = patch('/api/virtualization/media/{id}', {
  summary: 'Enable or disable a medium for new installations',
  access: { ...manage, on: medium },
  body: Enable,
  reply: VmMedium,
  recorded: 'changed the medium {target}',
  handle: ({ ctx, medium, body }) => setMedium(ctx, medium, body.enabled),
})

export const removeVmMedium = del('/api/virtualization/media/{id}', {
  summary: 'Delete a medium that no machine uses, with its file and the copies on nodes',
  access: { ...manage, on: medium, stepUp: true },
  recorded: 'removed the medium {target}',
  handle: ({ ctx, medium }) => removeMedium(ctx, medium),
})

export const uploadVmMedium = post('/api/virtualization/media/uploads', {
  summary: 'Announce a medium that is uploaded by the tus protocol to its content',
  access: manage,
  body: UploadVmMedium,
  reply: VmMedium,
  status: 201,
  recorded: 'started uploading a medium',
  handle: ({ ctx, body }) => announceUpload(ctx, body),
})

export const askVmMediumUpload = get('/api/virtualization/media/{id}/content', {
  summary: 'How much of an upload has arrived; HEAD as tus 1.0 asks for it',
  access: { ...manage, on: medium },
  alsoHead: true,
  reply: z.object({ offset: z.int(), sizeBytes: z.int() }),
  handle: ({ ctx, medium, http }) => uploadState(ctx, medium, http),
})

export const sendVmMediumUpload = patch('/api/virtualization/media/{id}/content', {
  summary: 'The next part of an upload (tus 1.0)',
  access: { ...manage, on: medium, pieces: true },
  streams: 'application/offset+octet-stream',
  waits: true,
  recorded: false,
  handle: ({ ctx, medium, http }) => receiveUpload(ctx, medium, http),
})

export const listKnownImages = get('/api/virtualization/images', {
  summary: 'Images and installers to choose from, with where their publishers offer them',
  access: manage,
  reply: KnownImageList,
  handle: ({ ctx }) => knownImages(ctx.db),
})

export const replaceKnownImages = put('/api/virtualization/images', {
  summary: 'Replace the list of images to choose from',
  access: manage,
  body: z.strictObject({ images: KnownImages }),
  reply: KnownImageList,
  recorded: 'changed the image list',
  handle: ({ ctx, body }) => editKnownImages(ctx.db, body.images),
})

export const forgetKnownImages = del('/api/virtualization/images', {
  summary: 'Go back to the list of images that comes with the panel',
  access: manage,
  recorded: 'reset the image list',
  handle: ({ ctx }) => resetKnownImages(ctx.db),
})

export const createVmNetwork = post('/api/virtualization/networks', {
  summary: 'Register a network of the nodes and its pool of guest addresses',
  access: manage,
  body: RegisterVmNetwork,
  reply: VmNetwork,
  status: 201,
  recorded: 'added the network {target}',
  handle: ({ ctx, body }) => registerNetwork(ctx, body),
})

export const editVmNetwork = patch('/api/virtualization/networks/{id}', {
  summary: 'Enable or disable a pool of guest addresses, and release it to customers',
  access: { ...manage, on: network },
  body: Offer,
  reply: VmNetwork,
  recorded: 'changed the network {target}',
  handle: ({ ctx, network, body }) => setNetwork(ctx, network, body),
})

export const removeVmNetwork = del('/api/virtualization/networks/{id}', {
  summary: 'Delete a network in which no machine is',
  access: { ...manage, on: network, stepUp: true },
  recorded: 'removed the network {target}',
  handle: ({ ctx, network }) => removeNetwork(ctx, network),
})

export const createVmProfile = post('/api/virtualization/profiles', {
  summary: 'Create an immutable hardware profile',
  access: manage,
  body: CreateVmProfile,
  reply: VmProfile,
  status: 201,
  recorded: 'added the hardware profile {target}',
  handle: ({ ctx, body }) => createProfile(ctx, body),
})

export const editVmProfile = patch('/api/virtualization/profiles/{id}', {
  summary: 'Enable or disable a hardware profile for new machines, and release it to customers',
  access: { ...manage, on: profile },
  body: Offer,
  reply: VmProfile,
  recorded: 'changed the hardware profile {target}',
  handle: ({ ctx, profile, body }) => setProfile(ctx, profile, body),
})

export const removeVmProfile = del('/api/virtualization/profiles/{id}', {
  summary: 'Delete a hardware profile that no machine was made with',
  access: { ...manage, on: profile, stepUp: true },
  recorded: 'removed the hardware profile {target}',
  handle: ({ ctx, profile }) => removeProfile(ctx, profile),
})

export const editNodeVirtualization = patch('/api/nodes/{id}/virtualization', {
  summary: 'Allow or disallow new virtual machines on a node, after checking what they need',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  // The agent rechecks before the response.
  waits: true,
  body: EditNodeVirtualization,
  reply: Node,
  recorded: 'changed virtualization on the node {target}',
  handle: ({ ctx, node, body }) => switchVirtualization(ctx, node, body),
})

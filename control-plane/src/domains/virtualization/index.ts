import { checkMedium } from './check-medium.ts'

export { seedBuiltInProfiles } from './built-in.ts'
export { whyNotInNetwork, whyNotOnNode } from './fitness.ts'
export { toAddress } from './ipv4.ts'
export { mediumRef, whyNotMedium } from './media.ts'
export { MachineOptions, machineOptions } from './options.ts'
export { describeProfile } from './profiles.ts'
export {
  findMedium,
  findNetwork,
  findProfile,
  listNetworks,
  lockNetwork,
} from './store.ts'
export type { MediumRow, NetworkRow, ProfileRow } from './tables.ts'

export const virtualizationSagas = [checkMedium] as const

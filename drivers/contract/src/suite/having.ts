import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Capabilities, Capability } from '../capabilities.ts'

/** A capability that the test requires. */
export function having<Name extends Capability, Spec extends WorkloadSpec>(
  driver: Pick<Capabilities<Spec>, Name>,
  name: Name,
): NonNullable<Capabilities<Spec>[Name]> {
  const capability = driver[name]
  if (capability === undefined) throw new Error(`the driver has no ${name}`)
  return capability
}

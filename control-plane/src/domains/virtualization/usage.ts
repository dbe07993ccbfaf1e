import type { Ctx } from '../../context.ts'
import { databaseFault } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { type CatalogueThing, machinesWith } from './questions.ts'

const NAMED = 5

const INSTEAD: Readonly<Record<CatalogueThing, string>> = {
  medium: 'take it out of their drives, reinstall them from another image, or delete them',
  network: 'move them to another network, or delete them',
  profile: 'delete them first, or take the profile out of the offer instead',
}

/**
 * Deletes a catalogue entry that no machine uses.
 * @throws {Problem} in_use, naming the machines
 */
export async function requireUnused(
  ctx: Ctx,
  what: CatalogueThing,
  { id, name }: { readonly id: string; readonly name: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  const machines = await ctx.catalogue.answers.to(machinesWith)(ctx.db, what, id)
  if (machines.length > 0) {
    const names = machines.slice(0, NAMED).map((machine) => machine.name)
    const more = machines.length - names.length
    throw new Problem(
      'in_use',
      `${name} is used by ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${INSTEAD[what]}`,
      { fields: { servers: machines.slice(0, 100) } },
    )
  }
  try {
    await remove()
  } catch (error) {
    // A machine began to use it between the query and the deletion.
    if (databaseFault(error)?.code !== '23503') throw error
    throw new Problem('in_use', `A machine uses ${name}: ${INSTEAD[what]}`, {
      fields: { servers: [] },
    })
  }
}

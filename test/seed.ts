import fc from 'fast-check'
import { seedChance } from '../drivers/contract/src/suite/chance.ts'

/**
 * The same cases in every run, so that a failure is there again for whoever looks for it; others with
 * `LODGE_SEED=<number>`, ever new ones with `LODGE_SEED=random`.
 */
const given = process.env.LODGE_SEED ?? '1'

if (given !== 'random') fc.configureGlobal({ seed: Number(given) })
seedChance(given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given))

import fc from 'fast-check'
import { seedChance } from '../../drivers/contract/src/suite/chance.ts'

/**
 * The same cases in every run, so that a failure can be reproduced; others with
 * `LODGE_SEED=<number>`, new ones each time with `LODGE_SEED=random`.
 */
const given = process.env.LODGE_SEED ?? '1'

if (given !== 'random') fc.configureGlobal({ seed: Number(given) })
seedChance(given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given))

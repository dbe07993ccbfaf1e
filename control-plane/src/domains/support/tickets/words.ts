import { lowestIdAt } from '../../../db/timed-ids.ts'
import { periodicTask, watcher } from '../../../jobs/periodic-task.ts'
import { ANY_UNREAD, findProgress, noteChecked, noteLearned } from '../words/store.ts'
import { forgetWords, learnWords } from './words-store.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'
/** How many messages or words a statement handles. */
const MESSAGES_AT_ONCE = 500
const WORDS_AT_ONCE = 1000
/** Limit for one run of the task. */
const MOST_BATCHES = 40
/**
 * A transaction that wrote a message is committed within this time; until then the range is read
 * again.
 */
const SETTLED_MS = 60_000

/** Learns the words of new messages, for suggestions for misspelt ones. */
export const learnNewWords = watcher('support.learn_words', ANY_UNREAD, async ({ db }, stopped) => {
  let after = (await findProgress(db))?.learnedTo ?? FIRST
  let messages = 0
  for (let batch = 0; batch < MOST_BATCHES && !stopped?.aborted; batch++) {
    const read = await learnWords(db, after, MESSAGES_AT_ONCE)
    if (read.last === null) break
    messages += read.messages
    after = read.last
    await noteLearned(db, { read: after, settled: lowestIdAt(Date.now() - SETTLED_MS) })
    if (read.messages < MESSAGES_AT_ONCE) break
  }
  return { messages }
})

/** Checks some of the learned words, and deletes those that no longer occur. */
export const forgetOldWords = periodicTask('support.forget_words', 300, async ({ db }) => {
  const progress = await findProgress(db)
  if (!progress) return { forgotten: 0 }
  const { last, forgotten } = await forgetWords(db, progress.checkedTo, WORDS_AT_ONCE)
  await noteChecked(db, last ?? '')
  return { forgotten }
})

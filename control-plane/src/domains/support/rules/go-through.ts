import type { WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { type Change, matches, type SeenTicket } from './matches.ts'

/**
 * Runs the rules of an event once, in order, each at most once. Later rules see what earlier ones
 * changed, but no change starts a rule again, so that rules cannot form a loop.
 * @param act applies a rule's actions and returns the resulting ticket
 */
export async function goThrough<R extends Pick<WriteRule, 'when' | 'stop'>>(
  rules: readonly R[],
  { ticket, changes }: { readonly ticket: SeenTicket; readonly changes: readonly Change[] },
  act: (rule: R) => Promise<SeenTicket>,
): Promise<void> {
  let seen = ticket
  for (const rule of rules) {
    if (!matches(rule, seen, changes)) continue
    seen = await act(rule)
    if (rule.stop) return
  }
}

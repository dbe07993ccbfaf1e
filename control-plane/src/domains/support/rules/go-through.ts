import type { WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { type Change, matches, type SeenTicket } from './matches.ts'

/**
 * Goes through the rules of an event once, in their order, each at most once. What a rule changes is
 * seen by the rules after it but starts none again, so that two rules cannot chase each other.
 * @param act does what the rule says, and says how the ticket is then
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

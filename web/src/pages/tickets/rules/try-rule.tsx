import type { TriedRule, WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { FindField } from '../../../ui/choices/find-field.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Labelled } from '../../../ui/form/section.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { t as parts } from '../parts/words.ts'
import type { FieldChoices } from './choices.ts'
import { valueWords } from './condition-words.ts'
import type { ConditionDraft, RuleDraft } from './rule-draft.ts'
import styles from './rules.module.css'
import { t } from './words.ts'

interface Tried {
  readonly ticket: string
  readonly conditions: readonly ConditionDraft[]
  readonly result: TriedRule
}

interface TryRuleProps {
  draft: RuleDraft
  choicesOf: FieldChoices
  bodyOf: () => WriteRule
  /** Why it cannot be tried yet. */
  missing: string | undefined
}

/** Tries the rule in the form on a ticket. */
export function TryRule({ draft, choicesOf, bodyOf, missing }: TryRuleProps) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState<Tried>()
  const [refusal, setRefusal] = useState<unknown>()
  const text = useDeferredValue(typed.trim())
  const found = useQuery({
    ...q('GET /api/support/tickets', {
      query: { view: 'all', limit: 25, ...(text && { q: text }) },
    }),
    placeholderData: keepPreviousData,
  })
  const hits = (found.data?.items ?? []).map(({ id, number, subject, status }) => ({
    id,
    label: `${number} ${subject}`,
    place: parts.status({ status }),
  }))
  const run = async (ticketId: string, ticket: string): Promise<void> => {
    setRefusal(undefined)
    try {
      const result = await api('POST /api/support/rules/try', {
        body: { rule: bodyOf(), ticketId },
      })
      setTried({ ticket, conditions: [...draft.all, ...draft.any], result })
    } catch (error) {
      setTried(undefined)
      setRefusal(error)
    }
  }
  return (
    <Labelled label={t.tryIt}>
      <Column gap={8}>
        <Text small muted>
          {missing ?? t.tryText}
        </Text>
        {missing === undefined ? (
          <FindField
            label={t.findTicket}
            typed={typed}
            hits={hits}
            nothingFound={t.noTicket}
            onType={setTyped}
            onChoose={({ id, label }) => void run(id, label)}
          />
        ) : null}
        {refusal === undefined ? null : <ProblemNote error={refusal} />}
        {tried === undefined ? null : <Result {...tried} choicesOf={choicesOf} />}
      </Column>
    </Labelled>
  )
}

function Result({ ticket, conditions, result, choicesOf }: Tried & { choicesOf: FieldChoices }) {
  const { matches, all, any } = result
  const isMet = [...all, ...any]
  return (
    <Note
      tone={matches ? 'ok' : 'info'}
      role="status"
      title={matches ? t.matches({ ticket }) : t.matchesNot({ ticket })}
    >
      <ul className={styles.results}>
        {conditions.map((condition, at) => (
          <li key={condition.key}>
            <span>{t.field({ field: condition.field })}</span>
            <span>{t.op({ op: condition.op })}</span>
            <strong>{valueWords(condition, choicesOf)}</strong>
            <Pill tone={isMet[at] ? 'ok' : 'idle'}>{isMet[at] ? t.met : t.notMet}</Pill>
          </li>
        ))}
      </ul>
    </Note>
  )
}

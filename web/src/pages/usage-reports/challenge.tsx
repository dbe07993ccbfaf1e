import type { UsageChallenge, UsagePoll } from '@lodge/shared/usage-reports.ts'
import { useEffect, useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

interface ChallengeProps {
  challenge: UsageChallenge
  /** Called when the service has answered. */
  onEnd: (outcome: UsagePoll['outcome']) => void
}

/** A code to enter at the service; polls as often as the service allows. */
export function Challenge({ challenge, onEnd }: ChallengeProps) {
  const { userCode, verificationUri, expiresAt, intervalSeconds } = challenge
  const [waitSeconds, setWaitSeconds] = useState(intervalSeconds)
  const [turn, setTurn] = useState(0)
  const [refusal, setRefusal] = useState<unknown>()
  const refresh = useRefresh()
  useEffect(() => {
    const ask = async (): Promise<void> => {
      try {
        const { outcome, retryAfterSeconds } = await api('POST /api/usage/connect/poll')
        setRefusal(undefined)
        if (retryAfterSeconds !== null) return setWaitSeconds(retryAfterSeconds)
        onEnd(outcome)
        await refresh(['GET /api/usage'])
      } catch (error) {
        // Another window is polling as well.
        const isEarly = error instanceof ApiError && error.problem.code === 'rate_limited'
        if (!isEarly) setRefusal(error)
      } finally {
        setTurn((before) => before + 1)
      }
    }
    const timer = setTimeout(() => void ask(), waitSeconds * 1000)
    return () => clearTimeout(timer)
    // Each response starts another turn, even one that changes nothing.
  }, [turn, waitSeconds])
  return (
    <Column gap={14}>
      <Text>
        {t.enterCode({
          host: new URL(verificationUri).host,
          link: (text) => (
            <a href={verificationUri} target="_blank" rel="noreferrer">
              {text}
            </a>
          ),
        })}
      </Text>
      <Copyable value={userCode} label={t.copyCode} />
      <Text small muted>
        {t.waiting({ when: () => <Ago at={expiresAt} /> })}
      </Text>
      {refusal ? <ProblemNote error={refusal} /> : null}
    </Column>
  )
}

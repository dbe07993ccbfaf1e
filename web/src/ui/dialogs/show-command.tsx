import Terminal from 'lucide-react/icons/terminal'
import { useState } from 'react'
import type { Call } from '../../command/call.ts'
import { describeCall } from '../../command/describe-call.ts'
import { Button } from '../buttons/button.tsx'
import { ProblemNote } from '../notices/problem-note.tsx'
import { part } from '../page/part.tsx'
import { t } from './words.ts'

const CommandView = part(() => import('./commands/command-view.tsx'))

interface ShowCommandProps {
  /** The call, or the action that makes it, which is then run without sending anything. */
  call: Call | (() => Promise<unknown>)
}

/** Shows the call behind an action as a command, below the button. */
export function ShowCommand({ call }: ShowCommandProps) {
  const [shown, setShown] = useState<Call>()
  const [refusal, setRefusal] = useState<unknown>()
  const toggle = async (): Promise<void> => {
    if (shown !== undefined) return setShown(undefined)
    await (typeof call === 'function' ? describeCall(call) : Promise.resolve(call)).then(
      setShown,
      setRefusal,
    )
  }
  return (
    <div>
      <Button
        kind="quiet"
        size="small"
        icon={<Terminal />}
        aria-expanded={shown !== undefined}
        onClick={() => void toggle()}
      >
        {t.showCommand}
      </Button>
      {shown === undefined ? null : <CommandView call={shown} onLost={() => setShown(undefined)} />}
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
    </div>
  )
}

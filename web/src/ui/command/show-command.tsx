import Terminal from 'lucide-react/icons/terminal'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../buttons/button.tsx'
import type { Call } from './call.ts'

const CommandView = lazy(() => import('./command-view.tsx'))

/** Shows the call behind an action as a command, below the button. */
export function ShowCommand({ call }: { call: Call }) {
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button
        kind="quiet"
        size="small"
        icon={<Terminal />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Show as curl
      </Button>
      {open ? (
        <Suspense>
          <CommandView call={call} />
        </Suspense>
      ) : null}
    </div>
  )
}

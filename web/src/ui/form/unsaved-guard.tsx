import { useBlocker } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Button } from '../buttons/button.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { Column, Row } from '../page/layout.tsx'
import { changeWords } from './changes.ts'

interface UnsavedGuardProps {
  /** The labels of what is not saved; empty when the page may be left. */
  changes: readonly string[]
  /** True while the form saves: what it opens afterwards is not leaving. */
  isSaving?: () => boolean
}

/** Asks before a page with unsaved changes is left, and the browser before its tab is closed. */
export function UnsavedGuard({ changes, isSaving }: UnsavedGuardProps) {
  const unsaved = changes.length > 0
  const blocker = useBlocker({
    // A session that ended leads to the sign-in page: there is nothing left to save with.
    shouldBlockFn: ({ current, next }) =>
      next.pathname !== current.pathname && next.pathname !== paths.signIn && isSaving?.() !== true,
    enableBeforeUnload: () => unsaved,
    disabled: !unsaved,
    withResolver: true,
  })
  const stay = (): void => blocker.reset?.()
  return (
    <Dialog title="Discard changes?" opened={blocker.status === 'blocked'} onClose={stay}>
      <Column>
        <div>You have not saved {changeWords(changes)}.</div>
        <Row>
          <Button kind="danger" onClick={() => blocker.proceed?.()}>
            Discard changes
          </Button>
          <Button onClick={stay} data-autofocus>
            Cancel
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}

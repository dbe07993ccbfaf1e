import { useBlocker } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Button } from '../buttons/button.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { Column, Row } from '../page/layout.tsx'
import { changeWords } from './change-words.ts'
import { t } from './words.ts'

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
    <Dialog title={t.discardTitle} opened={blocker.status === 'blocked'} onClose={stay}>
      <Column>
        <div>{t.notSaved({ changes: changeWords(changes) })}</div>
        <Row>
          <Button kind="danger" onClick={() => blocker.proceed?.()}>
            {t.discardChanges}
          </Button>
          <Button onClick={stay} data-autofocus>
            {t.cancel}
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}

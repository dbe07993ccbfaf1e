import { useBlocker } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { DiscardQuestion } from '../dialogs/discard-question.tsx'
import { changeWords } from './change-words.ts'
import { t } from './words.ts'

interface UnsavedGuardProps {
  /** The labels of what is not saved, or whether anything is not; the page may be left with none. */
  changes: readonly string[] | boolean
  /** True while the form saves: what it opens afterwards is not leaving. */
  isSaving?: () => boolean
}

/** Asks before a page with unsaved changes is left, and the browser before its tab is closed. */
export function UnsavedGuard({ changes, isSaving }: UnsavedGuardProps) {
  const unsaved = typeof changes === 'boolean' ? changes : changes.length > 0
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
    <Dialog title={t.leaveTitle} opened={blocker.status === 'blocked'} onClose={stay}>
      <DiscardQuestion onDiscard={() => blocker.proceed?.()} onStay={stay}>
        {typeof changes === 'boolean'
          ? t.typedIsLost
          : t.notSaved({ changes: changeWords(changes) })}
      </DiscardQuestion>
    </Dialog>
  )
}

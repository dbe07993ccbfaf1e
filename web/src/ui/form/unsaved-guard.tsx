import { useBlocker } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { DiscardQuestion } from '../dialogs/discard-question.tsx'
import { changeWords } from './change-words.ts'
import { t } from './words.ts'

interface UnsavedGuardProps {
  /** The labels of unsaved fields, or whether there are any; without any, the page may be left. */
  changes: readonly string[] | boolean
  /** True while the form saves: navigating afterwards is not leaving. */
  isSaving?: () => boolean
  /** The parameter of the address on which the form depends: another one replaces it. */
  dependsOn?: string | undefined
}

type Search = Readonly<Record<string, unknown>>

/** Asks before the page is left with unsaved changes; the browser asks before the tab is closed. */
export function UnsavedGuard({ changes, isSaving, dependsOn }: UnsavedGuardProps) {
  const unsaved = typeof changes === 'boolean' ? changes : changes.length > 0
  const isOther = (search: Search, next: Search): boolean =>
    dependsOn !== undefined && search[dependsOn] !== next[dependsOn]
  const blocker = useBlocker({
    // When the session has ended, the sign-in page opens: saving is no longer possible.
    shouldBlockFn: ({ current, next }) =>
      (next.pathname !== current.pathname || isOther(current.search, next.search)) &&
      next.pathname !== paths.signIn &&
      isSaving?.() !== true,
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

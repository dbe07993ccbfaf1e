import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import type { MailTemplate } from './templates-tab.tsx'
import { t } from './words.ts'

interface ResetButtonProps {
  template: MailTemplate
  onReset: () => void
}

/** Replaces the wording of a mail with the built-in one, after a question. */
export function ResetButton({ template, onReset }: ResetButtonProps) {
  const missing = useMissing()('email.manage')
  const reset = useAct('DELETE /api/email/templates/{template}', ['GET /api/email/templates'])
  const why = missing ?? (template.edited ? undefined : t.builtInAlready)
  const button = <Button disabledBecause={why}>{t.backToBuiltIn}</Button>
  if (why !== undefined) return button
  return (
    <QuickConfirm
      question={t.discardQuestion}
      verb={t.useBuiltIn}
      onConfirm={() =>
        reset.mutate(
          { params: { template: template.id } },
          {
            onSuccess: () => {
              toastDone(t.isBuiltIn)
              onReset()
            },
            onError: (error) => toastRefused(t.notChanged, error),
          },
        )
      }
    >
      {button}
    </QuickConfirm>
  )
}

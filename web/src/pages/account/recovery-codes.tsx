import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { RecoveryCodeBox } from './recovery-code-box.tsx'
import { t } from './words.ts'

/** New recovery codes, shown only once. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: readonly string[] | undefined
  onClose: () => void
}) {
  return (
    <Dialog title={t.saveCodes} opened={codes !== undefined} onClose={onClose}>
      <Column gap={14}>
        <Text>{t.saveCodesText}</Text>
        <RecoveryCodeBox codes={codes ?? []} />
        <Row>
          <Button kind="primary" onClick={onClose}>
            {t.codesSaved}
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}

import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { RecoveryCodeBox } from './recovery-code-box.tsx'

/** New recovery codes, shown only once. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: readonly string[] | undefined
  onClose: () => void
}) {
  return (
    <Dialog title="Keep these recovery codes" opened={codes !== undefined} onClose={onClose}>
      <Column gap={14}>
        <Text>
          Each code signs you in once when you have lost your other factors. They are not shown
          again: keep them where you keep passwords.
        </Text>
        <RecoveryCodeBox codes={codes ?? []} />
        <Row end>
          <Button kind="primary" onClick={onClose}>
            I have kept them
          </Button>
        </Row>
      </Column>
    </Dialog>
  )
}

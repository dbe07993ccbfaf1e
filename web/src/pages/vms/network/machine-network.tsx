import { Copyable } from '../../../ui/data/copy.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { useVm } from '../use-vm.ts'
import { NatRules } from './nat-rules.tsx'

/** A machine's network card and its NAT rules. */
export function MachineNetwork({ serverId }: { serverId: string }) {
  const vm = useVm()
  return (
    <Loaded query={vm}>
      {(found) => (
        <Column>
          <NatRules
            key={found.ports.map(({ hostPort }) => hostPort).join()}
            serverId={serverId}
            vm={found}
          />
          <Card title="Inside">
            <Facts
              rows={[
                ['Network', found.network.name],
                [
                  'Address',
                  <Copyable
                    key="address"
                    value={found.network.address}
                    label="Copy the address of the guest"
                  />,
                ],
                ['Length of prefix', String(found.network.prefixLength)],
                ['Gateway', found.network.gateway],
                ['Name servers', found.network.dns.join(', ') || found.network.gateway],
                [
                  'MAC',
                  <Copyable key="mac" value={found.network.mac} label="Copy the MAC address" />,
                ],
                ['Host name', found.hostname],
              ]}
            />
          </Card>
        </Column>
      )}
    </Loaded>
  )
}

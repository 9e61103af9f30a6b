import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'

type Choice = { id: string; text: string }
type Props = { label: string; choices: Choice[]; chosen: string; onChoose: (id: string) => void }

/** One of a few, by name. */
export const Picker = ({ label, choices, chosen, onChoose }: Props) => (
  <Select className="picker" value={chosen} onChange={(id) => onChoose(String(id))}>
    <Label className="unseen">{label}</Label>
    <Button className="chip">
      <SelectValue />
      <span aria-hidden="true">▾</span>
    </Button>
    <Popover className="card choices">
      <ListBox items={choices}>
        {({ id, text }) => (
          <ListBoxItem id={id} textValue={text}>
            {text}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </Select>
)

import { Button } from '../ui/controls'
import { Dialog } from '../ui/dialog'

const keys: [string, string][] = [
  ['j', 'next claim'],
  ['k', 'previous claim'],
  ['J', 'next item'],
  ['K', 'previous item'],
  ['a', 'approve: release the draft; a contradicted claim needs a reason'],
  ['e', 'edit and release'],
  ['s', 'reuse this answer when the question is asked again (on or off)'],
  ['r', 'write a new draft, with your instructions'],
  ['m', 'search for missing evidence'],
  ['x', 'reject, with a reason'],
  ['p', 'put the item back, so that others can open it'],
  ['u', 'undo the last decision, for 10 s'],
  ['v', 'select the item, to decide several at once'],
  ['V', 'select all from the last selected item to this one'],
  ['/', 'search the held answers'],
  ['Enter', 'submit a form'],
  ['Ctrl Enter', 'submit an edit'],
  ['Esc', 'close a form without a change'],
  ['?', 'show this list'],
]

export const Help = ({ isOpen, onChange }: { isOpen: boolean; onChange: (isOpen: boolean) => void }) =>
  isOpen && (
    <Dialog title="Desk shortcuts" onClose={() => onChange(false)}>
      <dl className="help">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="small soft">Shortcuts are off while you type.</p>
      <Button onPress={() => onChange(false)}>Close</Button>
    </Dialog>
  )

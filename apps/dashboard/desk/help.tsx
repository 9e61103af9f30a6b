import { Button } from '../ui/controls'
import { Dialog } from '../ui/dialog'

const keys: [string, string][] = [
  ['j', 'next claim'],
  ['k', 'claim before'],
  ['J', 'next item'],
  ['K', 'item before'],
  ['a', 'approve: release the draft as it is; a contradicted claim needs a reason'],
  ['e', 'edit and release'],
  ['s', 'reuse this answer when the question comes again (on or off)'],
  ['r', 'write again, with a word of guidance'],
  ['m', 'research what is missing'],
  ['x', 'reject, with the reason'],
  ['p', 'put back, so that others can take it'],
  ['u', 'undo the last decision, for ten seconds'],
  ['v', 'select the item, for one decision on several'],
  ['V', 'select all from the last selected item to this one'],
  ['/', 'search'],
  ['Enter', 'in a form: decide'],
  ['Ctrl Enter', 'in the editor: decide'],
  ['Esc', 'leave a form and change nothing'],
  ['?', 'this list'],
]

export const Help = ({ isOpen, onChange }: { isOpen: boolean; onChange: (isOpen: boolean) => void }) =>
  isOpen && (
    <Dialog title="Keys of the desk" onClose={() => onChange(false)}>
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
      <p className="small soft">No key acts while you type.</p>
      <Button onPress={() => onChange(false)}>Close</Button>
    </Dialog>
  )

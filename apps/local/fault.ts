/** Something that can be expected to go wrong at a start: people see its message, never a stack. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

/** `move` migrates the data folder. Any other argument starts the apps. */
void (process.argv[2] === 'move' ? import('./migrate') : import('./start'))

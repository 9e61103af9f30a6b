--[[
Adds what a call cost to one account.
KEYS[1] the account   ARGV[1] calls   ARGV[2] tokens in   ARGV[3] of them cached   ARGV[4] tokens out   ARGV[5] millionths of a cent
ARGV[6] how long an account is kept after its last call (ms)
Millionths are whole numbers: many small floats would not add up.
]]
local fields = { 'calls', 'tokensIn', 'tokensCached', 'tokensOut', 'microcents' }
for i, field in ipairs(fields) do
  if tonumber(ARGV[i]) > 0 then redis.call('HINCRBY', KEYS[1], field, ARGV[i]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])

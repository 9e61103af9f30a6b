--[[
Stores the reason why the next lines of a batch wait.
KEYS[1] batches:{tenant}:batch:<id>
ARGV[1] the reason, or '' if the lines do not wait
Returns 1, or 0 if the batch is gone.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == '' then redis.call('HDEL', KEYS[1], 'waitsFor') else redis.call('HSET', KEYS[1], 'waitsFor', ARGV[1]) end
return 1

# Converts plain // comments to Doxygen's. Their text is escaped, except for `code`.
s,^( *)//( |$),\1///\2,
s,([^ ] +)// ,\1///< ,
\,///,!b
h
s,.*///<? ?,,
s,\\,\\\\,g
s,&,\&amp;,g
s,<,\&lt;,g
s,>,\&gt;,g
s,[@#$%],\\&,g
s,::,\\::,g
s,`([^`]+)`,<code>\1</code>,g
x
s,(.*///<? ?).*,\1,
G
s,\n,,
2s,^/// ,/// @file\n/// ,

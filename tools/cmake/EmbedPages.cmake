# cmake -DPAGES=FOLDER -DOUTPUT=FILE -P EmbedPages.cmake: the pages of errors in a
# folder, K0101.md and so on, as rows {"NAME", R"page(TEXT)page"}, in the order of
# their names.
file(GLOB pages ${PAGES}/K*.md)
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(name "${page}" NAME_WE)
  file(READ "${page}" text)
  string(APPEND rows "{\"${name}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${rows}")
